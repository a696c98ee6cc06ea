// What the page may do: run its own scripts, use its own styles, fonts and pictures, and call this service. No inline
// script, no code of other origins, and no text that becomes markup.

// The one style element that react-aria puts into the page; it has to be compared on every upgrade of that package.
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
  "require-trusted-types-for 'script'",
].join('; ')
