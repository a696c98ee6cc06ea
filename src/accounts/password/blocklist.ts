// Recognizes the passwords that attackers try first, by the rules that combine common words and keyboard walks. A complete list of them
// would have 37,000 entries and take 30 ms to build.

const minCharacters = 12

export const words: ReadonlySet<string> = new Set(
  `password passw0rd p@ssword p@ssw0rd pa55word letmein welcome iloveyou monkey dragon sunshine princess football
baseball basketball superman batman master shadow michael jordan jennifer jessica charlie ashley daniel thomas hunter
trustno1 starwars whatever freedom nothing hello secret admin administrator root login access manager service server
changeme default guest support system testing tester summer winter spring autumn january february march april august
september october november december monday friday sunday computer internet google facebook instagram youtube linkedin
microsoft windows android samsung iphone apple orange banana cookie chocolate flower butterfly forever family mother
father brother sister lovely beautiful angel diamond silver golden pepper ginger tigger buster soccer hockey liverpool
chelsea arsenal barcelona madrid london america canada mexico england pokemon naruto minecraft fortnite matrix killer
cheese coffee purple yellow orange rainbow unicorn qwerty azerty qwertz asdfgh zxcvbn tracewright telemetry agent`.split(
    /\s+/,
  ),
)

export const endings: ReadonlySet<string> = new Set(
  `1 12 123 1234 12345 123456 1234567 12345678 123456789 1234567890 123! 1234! 12345! 123456! 1! ! !! !!! 123!@#
!@# !@#$ @123 @1234 @12345 @123456 #123 #1234 _123 _1234 01 007 69 777 111 111111 000 000000 321 4321 54321 654321 987654321
2000 2010 2015 2018 2019 2020 2021 2022 2023 2024 2025 2026 2024! 2025! 2026! @2024 @2025 @2026 1990 1995 abc abc123 qwerty
qwerty123 xyz isgreat iscool forever please`.split(/\s+/),
)

const walks = [
  '1234567890-=',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'zaq12wsxcde34rfvbgt5',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklm',
  'qwertzuiopasdfghjkl',
  '01234567890123456789',
  '12345678901234567890',
  '0987654321',
  '9876543210987654321',
  'poiuytrewqlkjhgfdsamnbvcxz',
  'mnbvcxzlkjhgfdsapoiuytrewq',
]

const phrases: ReadonlySet<string> = new Set(
  `correcthorsebatterystaple thisismypassword mypasswordis123 iloveyouforever iloveyousomuch letmeinplease
passwordispassword donotenter123 openthedoor123 opensesame123 nopasswordhere ihatepasswords ihavenopassword
whatisthepassword iforgotmypassword forgotpassword trustno1trustno1 changemeplease changemenow123 pleasechangeme
jesuschrist1 jesuslovesme1 teamomucho123 teamoteamo123 liverpoolfc1892 manchesterunited`.split(/\s+/),
)

/** The first characters of the walks, by length, to recognize two walks in a row. */
const beginnings = [6, 10].map((length) => ({ length, texts: new Set(walks.map((walk) => walk.slice(0, length))) }))

/** Whether a text in lower case is a phrase, a word with an ending or with another word, or one or two walks over the keyboard. */
export const isKnownPassword = (text: string): boolean =>
  text.length >= minCharacters && (phrases.has(text) || hasWord(text) || isWalk(text) || isTwoWalks(text))

function hasWord(text: string): boolean {
  for (const word of words) {
    if (text.startsWith(word) && isEndingOrWord(text.slice(word.length))) return true
    if (text.endsWith(word) && endings.has(text.slice(0, -word.length))) return true
  }
  return false
}

const isEndingOrWord = (text: string): boolean => endings.has(text) || words.has(text)

const isWalk = (text: string): boolean => walks.some((walk) => walk.includes(text))

const isTwoWalks = (text: string): boolean =>
  beginnings.some(
    ({ length, texts }) =>
      text.length === 2 * length && texts.has(text.slice(0, length)) && texts.has(text.slice(length)),
  )
