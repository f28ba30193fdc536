// Expected values come from another implementation of MurmurHash3 x86 128, its four words as big-endian hexadecimal.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHash, hashText } from './hash.ts'

describe('hashText is MurmurHash3 x86 128 of the text in UTF-8', () => {
  test.each([
    ['', '00000000000000000000000000000000'],
    ['a', 'a794933c5556b01b5556b01b5556b01b'],
    ['ab', '158451df25be301025be301025be3010'],
    ['abc', '75cdc6d1a2b006a5a2b006a5a2b006a5'],
    ['abcd', '96b6ccaa45afc62e45afc62e45afc62e'],
    ['abcde', 'c5402efb5d24c5bc5a7201775a720177'],
    ['abcdef', 'e17cb90aa1af2721a9bedff9a9bedff9'],
    ['abcdefg', '90b541d909863ade4a7769284a776928'],
    ['abcdefgh', 'aef41136adb11487fa6c8092fa6c8092'],
    ['abcdefghi', 'ad058c1c2206596f14d27d10dd94417c'],
    ['abcdefghij', 'f5d92ea79a37900ec792aa2a692ff17f'],
    ['abcdefghijk', 'a0c8c9ddca1f111e82fef12dbd5e9757'],
    ['abcdefghijkl', '738503fef48224c027d4dfadd28ce553'],
    ['abcdefghijklm', 'c13aa215dbaea1ecf41c3566d92cde70'],
    ['abcdefghijklmn', '75ec118e605d1fd7946f45f4f1d4894d'],
    ['abcdefghijklmno', 'ee6d1d694a1ad5ae84ce1457ada761a8'],
    ['abcdefghijklmnop', '9fd2762790b91256e4ce8b21d193ba45'],
    ['abcdefghijklmnopq', '0445a4d364515c6fd96ddc2a1d11079d'],
    ['abcdefghijklmnopqrstuvwxyz01234', '10354e5345d70f1b13c6f71bb130262a'],
    ['abcdefghijklmnopqrstuvwxyz012345', 'dbab3052d074e5df7f2eadeac5407f42'],
    ['abcdefghijklmnopqrstuvwxyz0123456', '5ec497857ab09605ffd03c402ec0b36b'],
    ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
    ['会话 😀 é', '2542e785a1356683717bf97216beae1f'],
    ['\0', '88c4adec54d201b954d201b954d201b9'],
  ])('%j', (text, expected) => {
    expect(hashText(text)).toBe(expected)
  })

  test('a million letters', () => {
    expect(hashText('a'.repeat(1_000_000))).toBe('2cbdc83e4cbb864ccfb3219362af3afe')
  })

  test('half of a surrogate pair counts as U+FFFD', () => {
    expect(hashText('\ud83d')).toBe('15861a9639dfc32639dfc32639dfc326')
  })
})

describe('createHash', () => {
  test('takes bytes, also those with the highest bit set', () => {
    expect(
      createHash()
        .update(Uint8Array.from({ length: 256 }, (_, index) => index))
        .digest(),
    ).toBe('2c56c88fdb4503dfd352b21a494ca2c0')
    expect(createHash().update(new Uint8Array(15).fill(255)).digest()).toBe(
      '8ed5342e37de74b2102dca9e3f5d371a',
    )
  })

  test('a digest does not end the hash', () => {
    const hash = createHash().update('abcdefghij')
    expect(hash.digest()).toBe(hashText('abcdefghij'))
    expect(hash.digest()).toBe(hashText('abcdefghij'))
    expect(hash.update('klmnopq').digest()).toBe(hashText('abcdefghijklmnopq'))
  })

  test('feeding in pieces equals feeding whole', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 }), (pieces) => {
        const whole = createHash().update(Uint8Array.from(pieces.flatMap((piece) => [...piece])))
        const parts = createHash()
        for (const piece of pieces) parts.update(piece)
        expect(parts.digest()).toBe(whole.digest())
      }),
    )
  })

  test('text and its UTF-8 bytes have one hash', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(createHash().update(new TextEncoder().encode(text)).digest()).toBe(hashText(text))
      }),
    )
  })

  test('is 32 hexadecimal digits, whatever it is fed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(hashText(text)).toMatch(/^[0-9a-f]{32}$/)
      }),
    )
  })
})
