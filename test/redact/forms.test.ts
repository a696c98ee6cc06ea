// Forms in which keys and personal data occur in the texts of agents, and texts that only look like them.
import test from 'ava'
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'

const redactor = openRedactor(new Uint8Array(32).fill(6))
/** Returns digits and letters of both cases of this length. */
const random = (length: number): string => 'a1B2c3D4e5F6g7H8'.repeat(Math.ceil(length / 16)).slice(0, length)
const hex = (length: number): string => '0f1e2d3c4b5a6978'.repeat(Math.ceil(length / 16)).slice(0, length)

/** The secret, and the texts before and after it. */
const forms: readonly (readonly [secret: string, before?: string, behind?: string])[] = [
  [`tw_rt_${random(79)}`, 'refresh '],
  [`tw_inv_${random(43)}`, 'https://a.example/invite#'],
  [`${random(86)}==`, 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', ';EndpointSuffix=core.windows.net'],
  [`${random(43)}%3D`, 'https://a.blob.core.windows.net/c?sv=2024-01-01&sp=r&sig='],
  [random(39), 'https://maps.example.com/api?key=', '&q=x'],
  ['hunter2', 'curl -u ada:', ' https://a.example'],
  ['hunter2', 'curl -s --user "ada:', '" https://a.example'],
  ['x', 'mysql -h db --password ', ' -e "select 1"'],
  ['s3cret!', 'tool --db-password ', ''],
  ['hunter2', 'mysqldump -h db -u root -p', ' shop > shop.sql'],
  ['hunter2', 'mysql -p', ''],
  ['hunter2', 'mariadb -u root -p', ' shop'],
  ['hunter2', 'mariadb-dump -h db -p', ' shop > shop.sql'],
  ['hunter2', 'mysql -h db \\\n  -u root \\\n  -p', ' shop'],
  ['hunter2', 'docker login \\\n  -u ada \\\n  -p ', ' registry.example.com'],
  ['hunter2', "sshpass -p '", "' ssh db"],
  ['hunter2', 'redis-cli -h cache -a ', ' ping'],
  ['hunter2', 'redis-cli --pass ', ' get x'],
  ['hunter2', 'docker login -u ada -p "', '" registry.example.com'],
  ['x', '[{"name":"DB_PASSWORD","value":"', '"}]'],
  ['x', '{"Name": "api-key", "Type": "String", "Value": "', '"}'],
  ['hunter2', "[{'name': 'password', 'value': '", "'}]"],
  ['hunter2', 'a form: {"key":"client_secret","value":"', '"}'],
  ['hunter2', '<password>', '</password>'],
  ['a1B2c3D4', '<cfg:apiKey>', '</cfg:apiKey>'],
  ['%2B49%20170%201234567', 'https://a.example/call?to='],
  ['%2b491701234567', 'to='],
  ['hunter2', 'db_pass: '],
  ['hunter2', '{"smtp_pass":"', '"}'],
  ['abc', 'password=', ' user=ada'],
  ['de89 3704 0044 0532 0130 00', 'account '],
  ['gb82west12345698765432', 'account '],
  ['ada%40example.com', 'https://a.example/users?mail='],
  ['jörg.müller@example.com', 'an '],
  ['info@bücher-müller.de', 'an '],
  ['p@ss@word', 'postgres://app:', '@db:5432/x'],
  ['p:a@ss', 'amqp://app:', '@mq/'],
  [`sk-proj-${random(40)}`, 'key-'],
  [`sk-ant-api03-${random(40)}`, 'mykey'],
  [`sk-${random(40)}`, 'OPENAI_'],
  ['AKIAIOSFODNN7EXAMPLE', 'x'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', 'session-'],
  [`glpat-${random(20)}`],
  [`glrt-${random(20)}`],
  [`npm_${random(36)}`],
  [`pypi-AgEIcHlwaS5vcmc${random(60)}`],
  [`hf_${random(34)}`],
  [`SG.${random(22)}.${random(43)}`],
  [`ya29.${random(60)}`],
  [`GOCSPX-${random(28)}`],
  [`hvs.${random(95)}`],
  [`hvb.${random(140)}`],
  [`T0${random(8)}/B0${random(8)}/${random(24)}`, 'https://hooks.slack.com/services/'],
  [`dapi${hex(32)}`],
  [`gsk_${random(52)}`],
  ['+49 170 1234567', 'call '],
  ['+1 (415) 555-0132', 'call '],
  ['x', "CREATE USER app WITH PASSWORD '", "'"],
  ['hunter2', "ALTER ROLE app ENCRYPTED PASSWORD '", "' VALID UNTIL 'infinity'"],
  ["it''s hunter2", "create role app login password '", "';"],
  ['hunter2', "CREATE LOGIN app WITH PASSWORD = N'", "'"],
  ['hunter2', "connect(password=b'", "')"],
  ['hunter2', "SET PASSWORD FOR app = PASSWORD('", "')"],
  ['hunter2', "ALTER USER app IDENTIFIED VIA mysql_native_password USING PASSWORD('", "')"],
  ['x', "CREATE USER 'app'@'%' IDENTIFIED BY '", "'"],
  ['hunter2', 'create user app identified by "', '";'],
  ['hunter2', "CREATE USER app IDENTIFIED WITH caching_sha2_password\n  BY '", "' REQUIRE SSL"],
  ['tiger', 'CREATE USER scott IDENTIFIED BY ', ' DEFAULT TABLESPACE users'],
  ['tiger', 'alter user scott identified by ', ';'],
  ['x', 'Content-Disposition: form-data; name="password"\r\n\r\n', '\r\n--b--\r\n'],
  ['hunter2\r\nand more', 'content-disposition: form-data; name=api_key\r\n\r\n', '\r\n--b\r\n'],
  [
    'hunter2',
    'Content-Disposition: form-data; name="credentials"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
  ],
  ['1234', 'Content-Disposition: form-data; name="pin"\n\n', '\n--b--'],
  ['hunter2', 'https://a.example/x?next=%2Flogin%3Fpassword%3D'],
  ['abc', 'pwd%3D'],
  ['hunter2', 'password%3A'],
  ['hunter2', 'password%253d'],
  ['hunter2', '%7B%22password%22%3A%22', '%22%7D'],
  ['hunter2', 'password＝'],
  ['abc', 'password＝', ''],
  ['hunter2', 'token： "', '"'],
  ['4711', 'passcode='],
  ['4711', 'a user entered {"pin":', '}'],
  ['4711', '{"user":{"pin":"', '"}}'],
  ['471 123', '{"otpCode": "', '"}'],
  ['123-45-6789', '{"ssn":"', '"}'],
  ['123456789', '{"socialSecurityNumber":', '}'],
  ['123', '{"card_cvv2":"', '"}'],
  ['4711', "{'cvc': '", "', 'a': 1}"],
  ['471123', 'Your verification code: '],
  ['4711', 'https://a.example/unlock?pin=', '&x=1'],
  ['471123', 'otp%3D'],
  ['471123', 'https://a.example/?next=%2Fpay%3Fx%3D1%26otp%3D'],
  ['471123', '%7B%22pin%22%3A%22', '%22%7D'],
  ['471123', 'pin=%22', '%22'],
  ['4711', "userPin: '", "'"],
  ['4711', '{"pin!":"', '"}'],
  ['4711', '{"otp[]":"', '"}'],
  ['471123', '{"PIN码":"', '"}'],
  ['4711', '{"fields":[{"name":"PIN","type":"textbox","ref":"e3","value":"', '"}]}'],
  ['471', '{"key":"card_cvc","value":', '}'],
  ['Server=db;Uid=app', '{"connection_string":"', '"}'],
  ['Server=db;Uid=app', '{"ConnectionStrings":{"Default":"', '"}}'],
  ['MIIEpAIBAAKCAQEA7', '{"private_key":"', '"}'],
]

test('each form is redacted, by itself, in JSON and in JSON inside of it, and is suspicious', (t) => {
  for (const [secret, before = '', behind = ''] of forms) {
    let text = `${before}${secret}${behind}`
    for (let depth = 0; depth < 3; depth++) {
      t.false(redactor.text(text).text.includes(JSON.stringify(secret).slice(1, -1)), text)
      const bytes = Buffer.from(text)
      t.true(isSuspicious(bytes, 0, bytes.length), text)
      text = JSON.stringify({ note: text })
    }
  }
})

test('redacted text is not redacted again', (t) => {
  for (const [secret, before = '', behind = ''] of forms) {
    const once = redactor.text(`${before}${secret}${behind}`).text
    t.is(redactor.text(once).text, once)
  }
})

test('texts that only look like secrets are not changed', (t) => {
  for (const text of [
    'task-550e8400-e29b-41d4-a716-446655440000',
    'call_a1B2c3D4e5F6g7H8a1B2c3D4 and chatcmpl-A1b2C3d4E5f6G7h8I9j0A1b2',
    'run npm_config_registry and hf_transfer, then npm_package_config_and_more_of_the_same',
    'sg.example.com and https://sl.wikipedia.org/wiki/Glavna_stran_2024_in_2025_ter_2026',
    'https://shop.example.com/p/1?page=2&sort=price&key=name&design=3',
    'curl https://a.example -o out.txt and docker run -u root image',
    'git log --pretty=oneline and mytool --password-file x --token-count 12',
    'pass: 12, fail: 3; compass: north-east; bypass=required; the pass=through option',
    'password= and password=None and password=null',
    'an object id ad12f0e1d2c3b4a596877869 and be12f0e1d2c3b4a5',
    'sha256:de89370400440532013000de89370400440532013000de89370400440532013000',
    '50%40 of 100%, 1+12345678901, 2026-11-20T10:20:30+01:00, c++17',
    'react@18.2.0, @müller, jörg@localhost, 3 @ 4.50',
    'http://localhost:8080/a@b and git@host:x/y',
    'dapi and api_org_chart, SG. hvs. ya29. and glpat- as such',
    'see https://hooks.slack.com/services/ for webhooks',
    'access_token_count: 12, signature=none?auth=basic',
    '[{"name":"max_tokens","value":"100"},{"name":"password_policy","value":"strict"},{"name":"a","value":"b"}]',
    '{"name":"password","kind":"field"} and then {"value":"x"}',
    '[{"name":"password"},{"value":"x"}]',
    'mariadb -P 3306 -h db, redis-cli -n 1 get -a, docker login a.example && docker run -p 80:80',
    JSON.stringify({ command: 'docker login a.example\ndocker run -p 80:80 web' }),
    "the user's password, 'x'; password's end; 'no password ' + name + ' given'; ('old password ', user, 'x')",
    `identified by name; create records that are identified by 'customer_id', and others identified by "id"; by 'x'`,
    'multipart/form-data; boundary=x and form-data; name="comment"\r\n\r\nhello\r\n--x--',
    'password%20policy, a%3Db, 100%3A1 and max_tokens%3D1000, 温度：20 and 密码',
    'token：该参数用于身份验证，必须提供。Cookie：浏览器会保存它的值',
    'the ship was identified by the team, and a user was created; grants are identified by id',
    '{"pin":13,"pinned":"1234","spin":4711,"pin_count":4711,"mapping":1234,"pin":"GPIO4","pins":{"pin":12}}',
    '{"pin":"Enter a PIN of 4 to 8 digits.","otp":"sms","otp":true,"cvc":null,"ssn":"","otp_length":"1234"}',
    '{"pin":{"type":"string","minLength":4},"otp_enabled":1234,"ssn":{"title":"SSN"}}',
    '[{"name":"pin","value":"13"},{"name":"total","value":4711}] and [{"name":"a","value":4711},{"name":"otp"}]',
    'pin: 4 to 8 digits, OTP 26.2, otp=300s, SSN: none, error code: 4711, status code 500, chip-and-pin; cvc: 1.2.3',
    '{"connection_string_name":"main","string":"connection"}, a connection: string and connection-strings',
    '{"security_code":"600519","postal_code":"12345","code":"4711","number":4711}',
    'mysql -P 3306 -h db, mysqladmin ping, <token>EOS</token> and 5 < tokens > 3, a 20%2B3 and %2B12',
  ]) {
    t.deepEqual(redactor.text(text), { text, changed: false }, text)
  }
})
