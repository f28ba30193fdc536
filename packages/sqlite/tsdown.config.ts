import { preset } from '@sess/tooling/tsdown'

export default preset()
