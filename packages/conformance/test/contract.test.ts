import { expect, test } from 'vitest'
import { contractPage } from './contract.ts'

test('the contract stands in docs/store-contract.md', async () => {
  await expect(contractPage()).toMatchFileSnapshot('../../../docs/store-contract.md')
})
