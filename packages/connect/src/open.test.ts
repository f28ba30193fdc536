import { expect, test } from 'vitest'
import { openStore } from './open.ts'

test.each([[null], [5], ['x']])('options that are %o are invalid, whatever the URL', async (options) => {
  for (const url of ['memory:', ':memory:'])
    await expect(openStore(url, options as never)).rejects.toMatchObject({
      code: 'invalid',
      operation: 'openStore',
      message: 'options: must be an object',
    })
})

test('an option that the backend refuses is refused by it', async () => {
  for (const url of ['memory:', ':memory:'])
    await expect(openStore(url, { busyTimeout: -1 })).rejects.toMatchObject({
      code: 'invalid',
      message: 'options.busyTimeout: too small: expected number to be >=0',
    })
})
