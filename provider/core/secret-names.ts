/** Words in the names of secrets. */
const secretWords =
  /(^|_)(SECRET|PASSWORD|PASSWD|PASSPHRASE|PWD|TOKEN|CREDENTIALS?|PRIVATE_KEY|API_?KEY|ACCESS_KEY|SIGNING_KEY|ENCRYPTION_KEY|SERVICE_ROLE_KEY|AUTH_KEY|DATABASE_URL|CONNECTION_STRING|DSN)(_|$|\d)/i;

/** Prefixes of variables that a build writes into pages. */
export const publicPrefixes = [
  "NEXT_PUBLIC_",
  "VITE_",
  "PUBLIC_",
  "NUXT_PUBLIC_",
  "REACT_APP_",
  "GATSBY_",
  "EXPO_PUBLIC_",
  "STORYBOOK_",
] as const;

/** Values with the form of a secret: keys of well-known services, private keys, and URLs with a password. */
const secretValue =
  /^(sk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA[0-9A-Z]{12}|AIza[\w-]{30}|SG\.|-----BEGIN [A-Z ]*PRIVATE KEY)|^\w+:\/\/[^/\s:@]+:[^/\s@]+@/;

/** Whether a name, such as `STRIPE_SECRET_KEY`, suggests a secret value. */
export const isSecretName = (key: string): boolean =>
  secretWords.test(key) && !publicPrefixes.some((prefix) => key.startsWith(prefix));

/** Whether a value has the form of a secret. */
export const isSecretValue = (value: string): boolean => secretValue.test(value);
