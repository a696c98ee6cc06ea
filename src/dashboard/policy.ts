// The Content-Security-Policy of the page: its own scripts, styles, fonts and images, and calls to this service. No inline
// scripts, no code of other origins, and no text that becomes markup.

// The one style element that react-aria inserts into the page. Compare the hash on every upgrade of that package.
const styleOfReactAria = "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='"

export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${styleOfReactAria}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // `dashboard/src/app/trusted-types.ts` creates this policy, which lets only the empty text pass.
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')
