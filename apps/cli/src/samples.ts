// The sample conversations of the demo. They stand in examples/ of the repository; the build puts a copy beside itself,
// which is what a published package has.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ImportedConversation, readConversations, StoreError } from '@sess/core'
import { readInput } from './read-input.ts'

const ownFolder = fileURLToPath(new URL('.', import.meta.url))
const folders = [join(ownFolder, 'examples'), join(ownFolder, '../../../examples/conversations')]

/**
 * Reads the samples, in the order of their file names.
 *
 * @throws {StoreError} unavailable when there are none
 */
export async function readSamples(): Promise<ImportedConversation[]> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    const files = names.filter((name) => name.endsWith('.json')).sort()
    if (files.length === 0) continue
    const texts = await Promise.all(files.map((name) => readInput(join(folder, name))))
    return texts.flatMap(readConversations)
  }
  throw new StoreError('unavailable', 'the sample conversations are missing from this installation')
}
