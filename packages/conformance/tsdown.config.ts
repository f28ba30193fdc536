import { preset } from '@sess/tooling/tsdown'

export default preset({ entry: ['src/index.ts', 'src/vitest.ts', 'src/cli.ts'] })
