import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../memory/index.ts'
import { missingMethods, portMethods } from './port-methods.ts'

describe('portMethods', () => {
  test('names every method a store has', () => {
    const store = createMemoryStore()
    for (const part of ['sessions', 'messages', 'threads', 'search', 'changes', 'maintenance'] as const) {
      expect(Object.keys(store[part]).toSorted(), part).toEqual(portMethods[part].toSorted())
    }
  })
})

describe('missingMethods', () => {
  test('reject, and never throw at once', async () => {
    const { fork } = missingMethods('memory', 'sessions', ['fork', 'rewind'])
    const answer = fork()
    await expect(answer).rejects.toMatchObject({
      code: 'unsupported',
      operation: 'sessions.fork',
      message: 'sessions.fork is not supported by the memory store',
    })
  })
})
