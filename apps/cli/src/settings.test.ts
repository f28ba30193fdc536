import { describe, expect, it } from 'vitest'
import { defaultPath, type Machine, readSettings } from './settings.ts'

const linux: Machine = { environment: {}, platform: 'linux', home: '/home/ana' }
const within = (environment: Machine['environment']): Machine => ({ ...linux, environment })

describe('defaultPath', () => {
  it.each<[string, Machine, string]>([
    ['Linux', linux, '/home/ana/.local/share/sess/sess.db'],
    ['Linux with XDG_DATA_HOME', within({ XDG_DATA_HOME: '/data' }), '/data/sess/sess.db'],
    ['a relative XDG_DATA_HOME', within({ XDG_DATA_HOME: 'data' }), '/home/ana/.local/share/sess/sess.db'],
    [
      'macOS',
      { environment: {}, platform: 'darwin', home: '/Users/ana' },
      '/Users/ana/Library/Application Support/sess/sess.db',
    ],
    [
      'Windows',
      { environment: { LOCALAPPDATA: 'D:\\Local' }, platform: 'win32', home: 'C:\\Users\\ana' },
      'D:\\Local\\sess\\sess.db',
    ],
    [
      'Windows without LOCALAPPDATA',
      { environment: {}, platform: 'win32', home: 'C:\\Users\\ana' },
      'C:\\Users\\ana\\AppData\\Local\\sess\\sess.db',
    ],
  ])('is in the data folder of %s', (_name, machine, path) => {
    expect(defaultPath(machine)).toBe(path)
  })
})

describe('readSettings', () => {
  it('takes --db before SESS_DB before the default', () => {
    const machine = within({ SESS_DB: 'env.db' })
    expect(readSettings({ db: 'flag.db' }, machine).url).toBe('flag.db')
    expect(readSettings({}, machine).url).toBe('env.db')
    expect(readSettings({}, within({ SESS_DB: '' })).url).toBe('/home/ana/.local/share/sess/sess.db')
  })

  it('takes --locale before SESS_LOCALE before LANG', () => {
    const locale = (flag: string | undefined, environment: Machine['environment']) =>
      readSettings({ locale: flag }, within(environment)).locale
    expect(locale('en', { SESS_LOCALE: 'zh' })).toBe('en')
    expect(locale(undefined, { SESS_LOCALE: 'zh-CN', LANG: 'en_US.UTF-8' })).toBe('zh')
    expect(locale(undefined, { LANG: 'zh_TW.UTF-8' })).toBe('zh')
    expect(locale(undefined, { LANG: 'de_DE.UTF-8' })).toBe('en')
    expect(locale(undefined, {})).toBe('en')
    expect(() => locale('fr', {})).toThrowError('locale "fr" is not known here')
    expect(() => locale(undefined, { SESS_LOCALE: 'zhuang' })).toThrowError(
      'locale "zhuang" is not known here',
    )
  })

  it('checks the time zone', () => {
    expect(readSettings({ tz: 'Europe/Berlin' }, linux).timeZone).toBe('Europe/Berlin')
    expect(readSettings({}, linux).timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(() => readSettings({ tz: ':' }, linux)).toThrowError('time zone ":" is not known here')
    expect(() => readSettings({ tz: 'Mars/Base' }, linux)).toThrowError(
      'time zone "Mars/Base" is not known here',
    )
  })
})
