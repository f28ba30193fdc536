import type { UserConfig } from 'tsdown'

/** The build every library package shares: ESM, one file a module, declarations without a type checker. */
export function preset(entry: readonly string[] = ['src/index.ts']): UserConfig {
  return {
    entry: [...entry],
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    dts: true,
    unbundle: true,
    sourcemap: false,
    fixedExtension: false,
    publint: 'ci-only',
  }
}
