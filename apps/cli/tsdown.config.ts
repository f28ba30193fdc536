import { preset } from '../../tooling/tsdown.ts'

export default preset()
