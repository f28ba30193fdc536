import { describeSessionStore } from '@sess/conformance/vitest'
import harness from './harness.ts'

describeSessionStore(harness, { tier: 'A' })
