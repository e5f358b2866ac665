/**
 * The vocabulary of code, comments, messages and documentation: one standard term for each concept.
 *
 * - `words` matches in any text. Compound names are split before: `takeOver` becomes "take over".
 * - `name` matches only in identifiers and file names, for words that are ordinary in a sentence.
 * - `sentence` matches in lines as they are written, with their upper and lower case.
 * - `use` is the standard term.
 * - `only` limits a term to some paths.
 * - `except` allows a term in some paths or lines, with the reason.
 */
export const terms = [
  {
    words: /\b(taking|takes?|by|in its|wait(s|ing)? (for )?(its|their)) turns?\b/,
    name: /\bturns?\b/,
    use: "name coordination; acquire, release",
  },
  {
    name: /\bplaces?\b/,
    only: /^(provider|sdk|server\/env|test\/(provider|support\/(programs|model)))\//,
    use: "unique keys",
  },
  { words: /\bholders?\b/, use: "owner" },
  { words: /\b(giv(e|es|en|ing)|gave) (\w+ )?up\b/, use: "release" },
  { words: /\b(stands?|stood|standing|steps?) aside\b/, name: /\baside\b/, use: "temporary rename" },
  { words: /\b(outlook|unheard)\b/, use: "release status; unknown" },
  { words: /\b(strangers?|newcomers?)\b/, use: "unmanaged object; new resource" },
  {
    name: /\b(claims?|marks?)\b/,
    only: /^(provider|sdk|test\/provider)\//,
    use: "ownership; owner id",
    except: [
      {
        text: /oidc|trusted|jwt|\bclaims: (z\.|Input|Record)|readonly claims:/i,
        reason: "claims of an OIDC token",
      },
    ],
  },
  {
    words: /\bheld text\b/,
    name: /^held$/,
    only: /^(provider|sdk|test\/(provider|support\/programs))\//,
    use: "stack snapshot",
  },
  { words: /\bpatient(ly)?\b/, use: "waits for unknown owners" },
  { words: /\bways? out\b/, use: "hint" },
  { words: /\bcautions?\b/, use: "warning" },
  { words: /\bsurroundings\b/, use: "context; environment" },
  { words: /\btrampolines?\b/, use: "loader" },
  { words: /\b(misfits?|unfit)\b/, use: "invalid item" },
  {
    words: /\brivals?\b/,
    name: /^(course|standing|lots?|rivals?)$/,
    use: "domain target, quota, sort key, competing claims",
    except: [{ path: /^server\/store\/migrations\.ts$/, reason: "the name of a released migration" }],
  },
  {
    words: /\bsay otherwise\b/,
    name: /^(say otherwise|finishing|called by)$/,
    use: "detect duplicate, track step, with caller",
  },
  {
    name: /^(settle|taken)$/,
    only: /^(provider|sdk)\//,
    use: "record outcome; conflict",
  },
  { words: /\bworkshops?\b/, use: "sandbox" },
  {
    words: /\b(front rooms?|floors of|rooms)\b/,
    name: /\b(front room|hall|house|rooms?|floors)\b/,
    use: "HTTP entry point, modules, layers",
  },
  { words: /\banew\b/, use: "again; recreated" },
  { words: /\btold of\b/, use: "notified of; receives" },
  { words: /\bit may be what it likes\b/, use: "undeclared settings are ignored" },
  {
    sentence: /(^|^ *# |[.:] |\/\/ |\* )(What|Who|Whatever|Whoever) (?!.*\?)/,
    use: "the subject first: a noun instead of a clause",
  },
];
