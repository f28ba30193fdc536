// A 128-bit hash for recognising equal content (cursors' filters, operations, imports). Not for secrets. MurmurHash3
// x86 128 (Austin Appleby, public domain), fed in pieces, so that the digest of a large import needs no large memory.

const c1 = 0x239b961b
const c2 = 0xab0e9789
const c3 = 0x38b34ae5
const c4 = 0xa1e38b93

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by))

function finalMix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const encoder = new TextEncoder()

/** A running hash; `update` takes text (as UTF-8) or bytes, `digest` answers 32 hexadecimal digits. */
export interface Hash {
  update(data: string | Uint8Array): Hash
  digest(): string
}

export function createHash(): Hash {
  let [h1, h2, h3, h4] = [0, 0, 0, 0]
  let length = 0
  const tail = new Uint8Array(16)
  let tailLength = 0

  const block = (bytes: Uint8Array, at: number) => {
    const word = (offset: number) =>
      (bytes[at + offset] as number) |
      ((bytes[at + offset + 1] as number) << 8) |
      ((bytes[at + offset + 2] as number) << 16) |
      ((bytes[at + offset + 3] as number) << 24)
    h1 ^= Math.imul(rotate(Math.imul(word(0), c1), 15), c2)
    h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0
    h2 ^= Math.imul(rotate(Math.imul(word(4), c2), 16), c3)
    h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0
    h3 ^= Math.imul(rotate(Math.imul(word(8), c3), 17), c4)
    h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0
    h4 ^= Math.imul(rotate(Math.imul(word(12), c4), 18), c1)
    h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0
  }

  return {
    update(data) {
      const bytes = typeof data === 'string' ? encoder.encode(data) : data
      length += bytes.length
      let at = 0
      if (tailLength > 0) {
        at = Math.min(16 - tailLength, bytes.length)
        tail.set(bytes.subarray(0, at), tailLength)
        tailLength += at
        if (tailLength < 16) return this
        block(tail, 0)
        tailLength = 0
      }
      for (; at + 16 <= bytes.length; at += 16) block(bytes, at)
      tail.set(bytes.subarray(at), 0)
      tailLength = bytes.length - at
      return this
    },
    digest() {
      const rest = new Uint8Array(16)
      rest.set(tail.subarray(0, tailLength))
      const word = (offset: number) => new DataView(rest.buffer).getInt32(offset, true)
      let a = h1 ^ Math.imul(rotate(Math.imul(word(0), c1), 15), c2)
      let b = h2 ^ Math.imul(rotate(Math.imul(word(4), c2), 16), c3)
      let c = h3 ^ Math.imul(rotate(Math.imul(word(8), c3), 17), c4)
      let d = h4 ^ Math.imul(rotate(Math.imul(word(12), c4), 18), c1)
      a ^= length
      b ^= length
      c ^= length
      d ^= length
      a = (a + b + c + d) | 0
      b = (b + a) | 0
      c = (c + a) | 0
      d = (d + a) | 0
      a = finalMix(a)
      b = finalMix(b)
      c = finalMix(c)
      d = finalMix(d)
      a = (a + b + c + d) | 0
      b = (b + a) | 0
      c = (c + a) | 0
      d = (d + a) | 0
      return [a, b, c, d].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
    },
  }
}

/** The hash of one text. */
export function hashText(text: string): string {
  return createHash().update(text).digest()
}
