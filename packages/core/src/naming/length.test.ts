import { describe, expect, test } from 'vitest'
import { cjkShare, cutName, isChinese, wholeGraphemes } from './length.ts'

describe('cjkShare', () => {
  test.each<[string, number]>([
    ['', 0],
    ['Fix the build', 0],
    ['修复构建', 1],
    ['ビルドを直す', 1],
    ['빌드 수정', 1],
    ['，。！', 0],
    ['123', 0],
    ['修复 build', 2 / 3],
    ['修复TypeScript构建', 4 / 5],
    ['What does 你好 mean?', 2 / 5],
    ['naïve café', 0],
  ])('of %j is %f', (text, share) => {
    expect(cjkShare(text)).toBe(share)
  })
})

describe('isChinese', () => {
  test.each<[string, boolean]>([
    ['修复构建', true],
    ['帮我修复 React 的 bug', true],
    ['ビルドを直す', false],
    ['빌드 수정', false],
    ['Fix the build', false],
    ['What does 你好 mean?', false],
    ['', false],
  ])('%j: %j', (text, expected) => {
    expect(isChinese(text)).toBe(expected)
  })
})

describe('cutName', () => {
  test.each<[string, number | undefined, string]>([
    ['', undefined, ''],
    ['one two three four five six', undefined, 'one two three four five six'],
    ['one two three four five six seven', undefined, 'one two three four five six '],
    ['一二三四五六七八九十', undefined, '一二三四五六七八九十'],
    ['一二三四五六七八九十一', undefined, '一二三四五六七八九十'],
    ['一二，三四五六七八九十', undefined, '一二，三四五六七八九'],
    ['안녕하세요 오늘 날씨가', undefined, '안녕하세요 오늘 날'],
    ['用 TypeScript 写一个函数', undefined, '用 TypeScript 写一个函数'],
    ['用 TypeScript 写一个排序函数', undefined, '用 TypeScript 写一个排序函'],
    ['a 🚀 b 🚀 c 🚀 d', undefined, 'a 🚀 b 🚀 c 🚀 '],
    ['ก'.repeat(40), undefined, 'ก'.repeat(30)],
    ['ก'.repeat(40), 2, 'ก'.repeat(10)],
    ['one two', 1, 'one '],
    ['一 二', 1, '一'],
  ])('%j with %j is %j', (line, limit, expected) => {
    expect(cutName(line, limit)).toBe(expected)
  })
})

describe('wholeGraphemes', () => {
  test.each<[string, number, string]>([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['ab👨‍👩‍👧', 5, 'ab'],
    ['ab👨‍👩‍👧c', 10, 'ab👨‍👩‍👧'],
    [`a${'\u0301'.repeat(9)}`, 4, 'a\u0301\u0301\u0301'],
  ])('%j to %i is %j', (text, end, expected) => {
    expect(wholeGraphemes(text, end)).toBe(expected)
  })
})
