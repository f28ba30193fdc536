import { StoreError } from '@sess/core'
import { createMemoryStore } from '@sess/core/memory'
import { describe, expect, it } from 'vitest'
import { eachSession } from './several.ts'

async function sessions() {
  const store = createMemoryStore()
  return Promise.all(['a', 'b', 'c'].map((id) => store.sessions.create({ id })))
}

describe('eachSession', () => {
  it('goes one after the other and gives the answers in that order', async () => {
    const seen: string[] = []
    const answers = await eachSession(await sessions(), 'marked', async ({ id }) => {
      seen.push(id)
      await Promise.resolve()
      seen.push(id)
      return id.toUpperCase()
    })
    expect(answers).toStrictEqual(['A', 'B', 'C'])
    expect(seen.join('')).toBe('aabbcc')
  })

  it('says what was done when one fails in the middle', async () => {
    const failAt = async (failing: string, error: Error) =>
      eachSession(await sessions(), 'marked', async ({ id }) => {
        if (id === failing) throw error
      })
    const busy = new StoreError('busy', 'the file is locked', { operation: 'sessions.update' })
    await expect(failAt('c', busy)).rejects.toMatchObject({
      code: 'busy',
      message: 'the file is locked (2 of 3 marked before: a, b)',
      operation: 'sessions.update',
      retryable: true,
    })
    await expect(failAt('a', busy)).rejects.toMatchObject({ message: 'the file is locked' })
    const other = new Error('a mistake')
    await expect(failAt('c', other)).rejects.toBe(other)
  })
})
