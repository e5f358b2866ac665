import { isSecretName, isSecretValue, publicPrefixes } from "../../../provider/core/secret-names";

it.each([
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "PWD",
  "TOKEN",
  "CREDENTIAL",
  "CREDENTIALS",
  "PRIVATE_KEY",
  "API_KEY",
  "APIKEY",
  "ACCESS_KEY",
  "SIGNING_KEY",
  "ENCRYPTION_KEY",
  "SERVICE_ROLE_KEY",
  "AUTH_KEY",
  "DATABASE_URL",
  "CONNECTION_STRING",
  "DSN",
])("%s is a word in the names of secrets, but not behind a public prefix", (word) => {
  for (const name of [
    word,
    `MY_${word}`,
    `MY_${publicPrefixes[0]}${word}`,
    `${word}_2`,
    `${word}1`,
    word.toLowerCase(),
  ])
    expect([name, isSecretName(name)]).toEqual([name, true]);
  for (const name of [`X${word}`, `${word}X`, ...publicPrefixes.map((prefix) => prefix + word)])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

it.each([
  ...["sk_live_1", "rk_live_1", "ghp_1", "gho_1", "ghu_1", "ghs_1", "ghr_1", "github_pat_1", "glpat-1"],
  ...["xoxa-1", "xoxb-1", "xoxp-1", "xoxr-1", "xoxs-1", "AKIA0123456789AB", `AIza${"x".repeat(30)}`, "SG.1"],
  ...["-----BEGIN PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----", "redis://user:word@host"],
])("%s has the form of a secret, also with more behind it, and not with another beginning", (value) => {
  expect([value, `${value}0`, `-${value}`].map(isSecretValue)).toEqual([true, true, false]);
});
