// What the system refuses about files, as errors of a store.

import { StoreError } from '@sess/core'

/** Runs work on a file; what the system refuses of it becomes `unavailable`, with the file's name before it. */
export async function guardFile<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (cause instanceof StoreError || code === undefined) throw cause
    throw new StoreError('unavailable', `${name || '""'}: ${reasons[code] ?? code}`, { cause })
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EPIPE: 'nobody reads it any more',
}
