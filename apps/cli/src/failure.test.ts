import { describe, expect, it } from 'vitest'
import { describeFailure } from './failure.ts'

const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('describeFailure', () => {
  it('knows an answer that no string can hold', async () => {
    const error = thrown(() => 'x'.repeat(2 ** 30))
    expect(await describeFailure(error, 'show')).toStrictEqual({
      code: 'too-large',
      message: 'the answer is longer than a text can be: take a part of it, or "sess export"',
      operation: 'show',
      exitCode: 5,
    })
  })
})
