import test from 'ava'
import { readEmailAddress } from '../../src/accounts/address/email-address.ts'

const canonical = (text: string): string | undefined => readEmailAddress(text)?.canonical

test('every way to write an address gives one form', (t) => {
  for (const text of [
    'ada@example.com',
    'ADA@Example.COM',
    'a\u200bda@example.com',
    '\ufeffada@exam\u00adple.com\u2060',
  ])
    t.is(canonical(text), 'ada@example.com', JSON.stringify(text))
  t.is(canonical('jose\u0301@example.com'), canonical('jos\u00e9@example.com'))
  for (const domain of [
    'm\u00fcnchen.de',
    'M\u00dcNCHEN.de',
    'mu\u0308nchen.de',
    'xn--mnchen-3ya.de',
    'XN--mnchen-3ya.de',
  ])
    t.is(canonical(`bob@${domain}`), 'bob@xn--mnchen-3ya.de', domain)
})

test('different addresses have different forms', (t) => {
  t.not(canonical('jos\u00e9@example.com'), canonical('jose@example.com'))
  t.not(canonical('bob@fa\u00df.de'), canonical('bob@fass.de'))
  // The URL parser treats both as one host.
  t.not(canonical('bob@127.1'), canonical('bob@127.0.0.1'))
  t.deepEqual(readEmailAddress('bob@127.1')?.forms, ['bob@127.1'])
})

test('a plain address has one form, and any other one also those in which it may have been stored before', (t) => {
  t.deepEqual(readEmailAddress('Ada@Example.com')?.forms, ['ada@example.com'])
  const forms = readEmailAddress('Bob@m\u00fcnchen.de')?.forms ?? []
  t.is(forms[0], 'bob@m\u00fcnchen.de', 'what was typed goes first')
  t.true(forms.includes('bob@xn--mnchen-3ya.de'))
  t.true(forms.includes('bob@mu\u0308nchen.de'))
  t.is(readEmailAddress('a\u200bda@example.com')?.forms[0], 'a\u200bda@example.com')
})

test('letters that can be mistaken for others are detected, and whole words of another script are allowed', (t) => {
  const lookalikes = [
    '\u0430da@example.com',
    'ada@ex\u0430mple.com',
    '\u0440\u0430\u0443@example.com',
    '\u03bf\u03c1\u03b1@example.com',
    '\uff41da@example.com',
    '\ufb01n@example.com',
    'ivan.\u0438\u0432\u0430\u043d@example.com',
    'ada@xn--exmple-4nf.com',
  ]
  for (const text of lookalikes) t.true(readEmailAddress(text)?.isLookalike, text)
  const fine = [
    'ada@example.com',
    'o\u2019neil@example.com',
    'm\u00fcller@m\u00fcnchen.de',
    '\u0438\u0432\u0430\u043d@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444',
    '\u0438\u0432\u0430\u043d@example.com',
    '\u7530\u4e2d\u30bfa@\u4f8b\u3048.jp',
    '\uae40\u7530a@example.kr',
  ]
  for (const text of fine) t.false(readEmailAddress(text)?.isLookalike, text)
})

test('characters that do not show, Latin letters of no alphabet of today, and loose marks are found by what they are', (t) => {
  const deceptive = [
    '\ufff9',
    '\ufffa',
    '\ufffb',
    '\ufffc',
    '\u{1d159}',
    '\u06dd',
    '\u2800',
    '\ue000',
    '\u0378',
    '\u0261',
    '\u0251',
    '\u0131',
    '\u01c0',
    '\u0185',
    '\u1d00',
    '\ua731',
    '\u0138',
    '\uab31',
    '\u01c3',
    '\u2010',
    '\u2013',
    '\u0640',
    '\u02bc',
    '\u02d0',
    '\u2044',
    'i\u0307',
    'a\u0323\u0302\u0301\u0301',
    'x\u0301',
    '\u00e9\u0327',
    '1\u0307',
    '.\u0307',
    'a\u20dd',
    'a\u0651',
  ]
  for (const text of deceptive) {
    t.true(readEmailAddress(`a${text}b@example.com`)?.isLookalike, JSON.stringify(text))
    t.true(readEmailAddress(`${text}@example.com`)?.isLookalike, JSON.stringify(text))
  }
  t.true(readEmailAddress('ada@xn--oole-z7bc.com')?.isLookalike, 'a domain in ASCII that shows as one with U+0261')
  for (const text of ['\u0438\u0301\u0301', '\u0628\u064e\u064e', '\u05d0\u05b0\u05b1\u05b2\u05b3\u05b4'])
    t.true(readEmailAddress(`${text}@example.com`)?.isLookalike, JSON.stringify(text))
  const written = [
    'jos\u00e9',
    'nguy\u1ec5n',
    '\u0142ukasz',
    '\u0219tefan',
    'bj\u00f8rn',
    'stra\u00dfe',
    '\u00feor',
    '\u0259li',
    'b\u01d4',
    '\u0939\u093f\u0928\u094d\u0926\u0940',
    '\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48',
    '\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f',
    '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd',
    '\u30b9\u30fc\u30d1\u30fc',
    '\u6797\u30fb\u5065',
    'co\u00b7op',
    '\u0439\u043e\u0433',
    '\uae40',
    '\u4f50\u3005\u6728',
    '\u0639\u0644\u064a\u0661\u0662',
    "o'neil+a_b%c#d!e$f&g*h=i?j^k`l{m|n}o~p/q",
  ]
  for (const text of written) t.false(readEmailAddress(`${text}@example.com`)?.isLookalike, text)
})

test('a domain with a label that is empty, has more than 63 characters or is no A-label is detected', (t) => {
  for (const domain of ['xn--zzzz-.com', 'a.xn--.com', 'xn--mnchen-3ya.xn--zzzz-.com'])
    t.not(readEmailAddress(`ada@${domain}`)?.hasValidLabels, true, domain)
  for (const domain of ['a..example', 'a.example..', `${'a'.repeat(64)}.example`, `${'\u00fc'.repeat(60)}.example`])
    t.not(readEmailAddress(`ada@${domain}`)?.hasValidLabels, true, domain)
  for (const domain of [
    'localhost',
    'xn--mnchen-3ya.de',
    `${'a'.repeat(63)}.example`,
    `a.${'\u00fc'.repeat(50)}.example`,
  ])
    t.true(readEmailAddress(`ada@${domain}`)?.hasValidLabels, domain)
})

test('an invalid address is refused, also one with invisible characters', (t) => {
  for (const text of [
    '',
    'ada',
    'ada@',
    '@example.com',
    '\u200b@example.com',
    'a@b@c.d',
    'ada @example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\0',
    'ada@\ud800.com',
    `${'a'.repeat(65)}@example.com`,
    // 254 characters as typed, and more in ASCII.
    `a@${'\u00fc'.repeat(252)}`,
  ])
    t.is(readEmailAddress(text), null, JSON.stringify(text))
})
