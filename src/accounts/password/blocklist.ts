// Floor 3. The passwords of eligible length that guessers try first, made by rule from the words and walks that people use.

const minCharacters = 12

const words =
  `password passw0rd p@ssword p@ssw0rd pa55word letmein welcome iloveyou monkey dragon sunshine princess football
baseball basketball superman batman master shadow michael jordan jennifer jessica charlie ashley daniel thomas hunter
trustno1 starwars whatever freedom nothing hello secret admin administrator root login access manager service server
changeme default guest support system testing tester summer winter spring autumn january february march april august
september october november december monday friday sunday computer internet google facebook instagram youtube linkedin
microsoft windows android samsung iphone apple orange banana cookie chocolate flower butterfly forever family mother
father brother sister lovely beautiful angel diamond silver golden pepper ginger tigger buster soccer hockey liverpool
chelsea arsenal barcelona madrid london america canada mexico england pokemon naruto minecraft fortnite matrix killer
cheese coffee purple yellow orange rainbow unicorn qwerty azerty qwertz asdfgh zxcvbn tracewright telemetry agent`
    .split(/\s+/)
    .filter((word, at, all) => all.indexOf(word) === at)

const endings =
  `1 12 123 1234 12345 123456 1234567 12345678 123456789 1234567890 123! 1234! 12345! 123456! 1! ! !! !!! 123!@#
!@# !@#$ @123 @1234 @12345 @123456 #123 #1234 _123 _1234 01 007 69 777 111 111111 000 000000 321 4321 54321 654321 987654321
2000 2010 2015 2018 2019 2020 2021 2022 2023 2024 2025 2026 2024! 2025! 2026! @2024 @2025 @2026 1990 1995 abc abc123 qwerty
qwerty123 xyz isgreat iscool forever please`.split(/\s+/)

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
] // prettier-ignore

const phrases = `correcthorsebatterystaple thisismypassword mypasswordis123 iloveyouforever iloveyousomuch letmeinplease
passwordispassword donotenter123 openthedoor123 opensesame123 nopasswordhere ihatepasswords ihavenopassword
whatisthepassword iforgotmypassword forgotpassword trustno1trustno1 changemeplease changemenow123 pleasechangeme
jesuschrist1 jesuslovesme1 teamomucho123 teamoteamo123 liverpoolfc1892 manchesterunited`.split(/\s+/)

function makeBlocklist(): ReadonlySet<string> {
  const list = new Set<string>(phrases)
  for (const word of words) {
    for (const ending of endings) for (const text of [word + ending, ending + word]) list.add(text)
    for (const other of words) list.add(word + other)
  }
  for (const walk of walks) {
    for (let from = 0; from < walk.length; from += 1) {
      for (let to = from + minCharacters; to <= walk.length; to += 1) list.add(walk.slice(from, to))
    }
    for (const other of walks)
      list.add(walk.slice(0, 6) + other.slice(0, 6)).add(walk.slice(0, 10) + other.slice(0, 10))
  }
  return new Set([...list].filter((text) => text.length >= minCharacters))
}

/** Lower-cased; every entry has at least 12 characters. */
export const blocklist: ReadonlySet<string> = makeBlocklist()
