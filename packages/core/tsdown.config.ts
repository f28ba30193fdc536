import { preset } from '@sess/tooling/tsdown'

export default preset({
  entry: ['src/index.ts', 'src/adapter.ts', 'src/memory/index.ts'],
  platform: 'neutral',
})
