// Secrets of every kind, and random texts made of them and of similar strings. Seeded: the same seed gives the same texts.

/** [kind, the text that must be removed, and what has to precede and follow it for that]. */
export const planted: readonly (readonly [kind: string, secret: string, before?: string, behind?: string])[] = [
  ['private key', 'MIIEpAIBAAKCAQEA7', '-----BEGIN RSA PRIVATE KEY-----\n', '\n-----END RSA PRIVATE KEY-----'],
  ['own key', `tw_sk_a1B2c3D4_${'x'.repeat(38)}`],
  ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N'],
  ['api key', 'sk-proj-A1b2C3d4E5f6G7h8I9j0'],
  ['api key', 'rk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['aws key', 'AKIAIOSFODNN7EXAMPLE'],
  ['aws key', 'ASIAIOSFODNN7EXAMPL2'],
  ['github token', `ghp_${'a1'.repeat(18)}`],
  ['github token', `github_pat_${'a1'.repeat(12)}`],
  ['google key', `AIza${'Sy0-_'.repeat(7)}`],
  ['slack token', 'xoxb-123456789012-abcdefGHIJKL'],
  ['bearer', 'abc123def456', 'Bearer '],
  ['basic', 'dXNlcjpwYXNz1=', 'basic '],
  ['url password', 'hunter2pw', 'postgres://app:', '@db/x'],
  ['cookie', 'sid=abcdefg', 'Set-Cookie: '],
  ['authorization', 'opaque-value', 'authorization: '],
  ['assignment', 'hunter2pw', 'password='],
  ['assignment', 'hunter2pw', "API_KEY = '", "'"],
  ['assignment', 'hunter2pw', 'client_secret: "', '"'],
  ['refresh token', `tw_rt_${'a1B2c3D4_-'.repeat(7)}`],
  ['vendor key', `glpat-${'a1B2'.repeat(5)}`],
  ['vendor key', `npm_${'a1B2'.repeat(9)}`],
  ['vendor key', `SG.${'a1B2'.repeat(6)}.${'a1B2'.repeat(10)}`],
  ['vendor key', `ya29.${'a1B2'.repeat(12)}`],
  ['vendor key', `dapi${'a1b2'.repeat(8)}`],
  ['api key', 'sk-proj-A1b2C3d4E5f6G7h8I9j0', 'x'],
  ['aws key', 'AKIAIOSFODNN7EXAMPLE', 'key'],
  ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', 'token-'],
  ['webhook', 'T00000000/B00000000/XXXXXXXXXXXXXXXX', 'https://hooks.slack.com/services/'],
  ['url password', 'hun@ter2pw', 'postgres://app:', '@db/x'],
  ['parameter', 'a1B2c3D4', 'https://a.example/x?key=', '&b=1'],
  ['option', 'hunter2pw', 'mysql --password ', ' -e x'],
  ['option', 'hunter2pw', 'curl -u app:', ' https://a.example'],
  ['option', 'hunter2pw', 'mysql -h db -u root -p', ' -e "select 1"'],
  ['option', 'hunter2pw', 'mariadb -h db -p', ' -e "select 1"'],
  ['option', 'hunter2pw', 'redis-cli -a ', ' ping'],
  ['option', 'hunter2pw', 'docker login -u app -p ', ' a.example'],
  ['option', 'hunter2pw', 'sshpass -p ', ' ssh db'],
  ['labelled value', 'hunter2pw', '[{"name": "DB_PASSWORD", "value": "', '"}]'],
  ['labelled value', 'hunter2pw', "env: [{'name': 'api_key', 'value': '", "'}]"],
  ['labelled value', 'hunter2pw', '{"ParameterKey":"DBPassword","ParameterValue":"', '"}'],
  ['assignment', 'hunter2pw', '{"credentials": "', '"}'],
  ['assignment', 'Server=db', '{"connection_string":"', '"}'],
  ['element', 'hunter2pw', '<user>app</user><password>', '</password>'],
  ['element', 'a1B2c3D4', '<ns:api-key>', '</ns:api-key>'],
  ['assignment', 'hunter2pw', 'db_pass: '],
  ['assignment', 'abc42', 'password='],
  ['assignment', 'a1B2c3D4a1B2c3D4==', 'AccountName=a;AccountKey=', ';EndpointSuffix=x'],
  ['sql', 'hunter2pw', "CREATE USER app WITH PASSWORD '", "'"],
  ['sql', 'hunter2pw', "SET PASSWORD = PASSWORD('", "')"],
  ['sql', 'hunter2pw', "create user app identified with plugin by '", "'"],
  ['sql', 'tigertiger', 'ALTER USER scott IDENTIFIED BY ', ';'],
  ['form field', 'hunter2pw', 'form-data; name="password"\r\n\r\n', '\r\n--b--'],
  ['encoded assignment', 'hunter2pw', 'password%3D'],
  ['encoded assignment', 'hunter2pw', '%22token%22%253A%22', '%22'],
  ['wide assignment', 'hunter2pw', 'password＝'],
  ['longer name', 'a1B2c3D4', 'export SLACK_TOKEN_PROD='],
  ['longer name', 'hunter2pw', 'apiKeyValue2: "', '"'],
  ['longer name', 'abc42', 'DB_PASSWORD_2='],
  ['longer name', 'a1B2c3D4', 'API_KEY_20240601='],
  ['longer name', 'hunter2pw', 'db.password.prod='],
  ['longer name', 'hunter2pw', 'a {"credentials__prod": "', '"}'],
  ['two labels', 'hunter2pw', '[{"name":"pin","key":"password","value":"', '"}]'],
  ['type as a label', 'hunter2pw', '[{"name":"a","type":"password","value":"', '"}]'],
  ['code', '4711', 'user_pin: "', '"'],
  ['code', '123-45-6789', 'ssn=', ' x'],
  ['code', '471123', 'otp%3D'],
  ['code', '471123', 'verification code： '],
  ['labelled code', '4711', '[{"name":"pin","value":"', '"}]'],
  ['mail', 'ada%40example.com', 'x?user='],
  ['mail', 'jörg.müller@bücher.de'],
  ['phone', '+49 (170) 123-4567'],
  ['phone', '%2B49%20170%201234567', 'x?to='],
  ['iban', 'de89370400440532013000'],
  ['mail', 'ada.lovelace+notes@mail.example.co.uk'],
  ['card', '4111 1111 1111 1111'],
  ['card', '5500-0000-0000-0004'],
  ['card', '378282246310005'],
  ['card', '3782 822463 10005'],
  ['card', '4222222222222'],
  ['iban', 'DE89370400440532013000'],
  ['iban', 'GB82 WEST 1234 5698 7654 32'],
  ['address', '203.0.113.77'],
  ['address', '2001:db8:85a3::8a2e:370:7334'],
  ['address', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
]

/** Pieces of secrets and of their usual context. */
const pieces: readonly string[] = [
  ...`password passwd pwd passphrase passcode secret token tokens api_key apiKey access-key privateKey signing_keys key
  credentials Authorization Set-Cookie cookies bearer basic max_tokens next_token mytoken eyJ sk- sk_ tw_sk_ rk- AKIA
  ASIA ghp_ github_pat_ AIza xoxb- ://user:pw@ :// @ a@b.co @example.com @app.route react@18.2.0 -----BEGIN -----END
  PRIVATE KEY ----- 4111 1111 1111 1111 4111111111111111 5500000000000004 42e14 4.111111111111111e15 4111111111111111.0
  41111111111111110e-1 1767225600000 123456 12 1.2 .3.4 1.1.1.1 10:20:30 1::2:3 fe80:: :: : ::ffff 2001:db8 DE89
  3704 0044 0532 0130 00 GB82WEST 12345698765432 abcdefgh12345678 0123456789abcdef ABCDEFGHIJKLMNOP a1a1a1a1a1a1a1a1a1a1
  _PROD _2 Value Staging credential -test2 .old .value __dev 20240601 -0.25 _count IDENTIFIED BY WITH ' N' PASSWORD( form-data; name="pin" pin otp: cvv= ssn code verification number 471 4711 471-11 1e3 1.5e3
  %3D %3A %253d %22 ＝ ： connection _string String connection-string
  null true false \\n \\t \\r \\b \\f \\/ \\" \\u00e9 \\u2013 \\u0041 \\u003a \\u00a0 \\`.split(/\s+/),
  ' ',
  '  ',
  '\n',
  '\t',
  '\u00a0',
  '\u2003',
  '\ufeff',
  'é',
  '漢',
  '😀',
  '\ufffd',
  '"',
  "'",
  '""',
  '\\\\',
  '-',
  '_',
  '.',
  ',',
  ';',
  '=',
  ': ',
  ' = ',
  '": "',
  '":"',
  '\\":\\"',
  '{',
  '}',
  '[',
  ']',
  '{"',
  '"}',
  '&',
  '/',
  '%',
  '+',
  '<',
  ...'the quick brown fox looks up what is in stock of these'.split(' '),
]

/** Returns random numbers from 0 to below `below`, the same for the same seed. */
export function openRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const names =
  `content name value text role query note type a x token password api_key apiKey client_secret max_tokens next_page_token
  mytoken dbpassword session_tokens cookies Authorization secret_name key private_keys passcode credentials pwd ParameterKey
  ParameterValue pin userPin otp_code cvv2 ssn number code social_security_number connection_string ConnectionStrings token_new apiKeyProd`.split(
    /\s+/,
  )

export type Maker = {
  /** Returns a text of pieces, secrets and words, often JSON, also nested. */
  readonly text: () => string
  readonly random: (below: number) => number
}

export function openMaker(seed: number): Maker {
  const random = openRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const changeCase = (text: string): string =>
    random(6) === 0 ? text.toUpperCase() : random(6) === 0 ? text.toLowerCase() : text

  function plant(): string {
    const [, secret, before = '', behind = ''] = pick(planted)
    const whole = `${before}${secret}${behind}`
    const at = random(whole.length)
    if (random(8) === 0) return `${whole.slice(0, at)}${pick(pieces)}${whole.slice(at)}`
    return random(8) === 0 ? whole.slice(0, at) : whole
  }

  const flat = (): string =>
    Array.from({ length: 1 + random(random(2) === 0 ? 3 : 8) }, () =>
      changeCase((random(4) === 0 ? plant() : pick(pieces)) + (random(3) === 0 ? ' ' : '')),
    ).join('')

  /** A JSON value as hand-written text, so that all kinds of escapes and numbers occur. */
  function json(depth: number): string {
    const blank = random(5) === 0 ? pick([' ', '\n', '\t', '  \r\n']) : ''
    switch (random(depth > 3 ? 4 : 7)) {
      case 0:
        return pick([
          'null',
          'true',
          '12',
          '0.000123',
          '4111111111111111',
          '42e14',
          '4111111111111111.0',
          '123456789',
          '-5',
        ])
      case 1:
        return escape(text(depth + 1))
      case 2:
      case 3:
        return escape(flat())
      case 4:
        return `[${blank}${Array.from({ length: random(4) }, () => json(depth + 1)).join(`,${blank}`)}]`
      default:
        return `{${blank}${Array.from({ length: random(4) }, member(depth, blank)).join(`,${blank}`)}${blank}}`
    }
  }

  const member = (depth: number, blank: string) => (): string =>
    `${escape(random(5) === 0 ? flat() : changeCase(pick(names)))}${blank}:${blank}${json(depth + 1)}`

  function escape(plain: string): string {
    const quoted = JSON.stringify(plain)
    if (random(8) === 0) return quoted.replaceAll('/', '\\/')
    if (random(8) > 0) return quoted
    return quoted.replaceAll(/[^\u0020-\u007e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }

  function text(depth: number): string {
    if (random(3) === 0) return flat()
    const whole = json(depth)
    return random(10) === 0 ? whole.slice(0, random(whole.length + 1)) : whole
  }

  return { random, text: () => text(0) }
}
