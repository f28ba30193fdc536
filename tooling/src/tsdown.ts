// The build every library package shares: ESM, one file a module, declarations without a type checker.

import type { UserConfig } from 'tsdown'

export interface PresetOptions {
  /** `src/index.ts` unless given. */
  readonly entry?: readonly string[]
  /** "neutral" for what runs in browsers too. */
  readonly platform?: 'node' | 'neutral'
}

/** The tsdown configuration of a library package; a package that is wrong for npm fails its own build. */
export function preset({ entry = ['src/index.ts'], platform = 'node' }: PresetOptions = {}): UserConfig {
  return {
    entry: [...entry],
    format: 'esm',
    platform,
    target: 'es2024',
    dts: true,
    unbundle: true,
    sourcemap: false,
    fixedExtension: false,
    publint: { strict: true },
    attw: { profile: 'esm-only', level: 'error' },
  }
}
