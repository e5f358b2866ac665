import { createPrivateKey } from "node:crypto";

/** Two certificates that sign themselves and are valid for a hundred years, for tests only. No system trusts them. */

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

const firstCertificate = lines(
  "-----BEGIN CERTIFICATE-----",
  "MIIBpzCCAU2gAwIBAgIUHoS4VxPjmCWUOSpTAiYi95oZV0UwCgYIKoZIzj0EAwIw",
  "GjEYMBYGA1UEAwwPYXBpLmV4YW1wbGUuY29tMCAXDTI2MTEzMDE4MjgwM1oYDzIx",
  "MjYxMTA2MTgyODAzWjAaMRgwFgYDVQQDDA9hcGkuZXhhbXBsZS5jb20wWTATBgcq",
  "hkjOPQIBBggqhkjOPQMBBwNCAASSyfCYdEBG2cbkVhFijLNdUV9YAQtBY1mk/w0a",
  "/TTitP2m96taze/Vp8FyOxUPLbdAFHlNKgNhhtMhQ4EIYH8zo28wbTAdBgNVHQ4E",
  "FgQUfv8JI5l7+3H/W1XmaDTSPebZAr8wHwYDVR0jBBgwFoAUfv8JI5l7+3H/W1Xm",
  "aDTSPebZAr8wDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9hcGkuZXhhbXBs",
  "ZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIgMe+kKOKYYE9l+BafSSI6sL5Rrch2hFtB",
  "3GDRrYQNuk4CIQDRxyy00b3WodEdSXCK6KrDgZqgdoV9akmev4M9cT3Vmg==",
  "-----END CERTIFICATE-----",
);

/** For api.example.com. */
export const first = {
  certificate: firstCertificate,
  certificateAuthorityCertificate: firstCertificate,
  privateKey: lines(
    "-----BEGIN PRIVATE KEY-----",
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf0iaGi0+JTjJ3tdG",
    "VGdxSrqfOE/jsfjbBAMEFc0AoBqhRANCAASSyfCYdEBG2cbkVhFijLNdUV9YAQtB",
    "Y1mk/w0a/TTitP2m96taze/Vp8FyOxUPLbdAFHlNKgNhhtMhQ4EIYH8z",
    "-----END PRIVATE KEY-----",
  ),
};

const secondCertificate = lines(
  "-----BEGIN CERTIFICATE-----",
  "MIIBqjCCAVCgAwIBAgIURLv3DyyQzgSfbjQGDgiq16BsokEwCgYIKoZIzj0EAwIw",
  "FjEUMBIGA1UEAwwLZXhhbXBsZS5vcmcwIBcNMjYxMTMwMTgyODAzWhgPMjEyNjEx",
  "MDYxODI4MDNaMBYxFDASBgNVBAMMC2V4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYI",
  "KoZIzj0DAQcDQgAE6rznFewunpQOSvs5hY23SSMdn+hAGoDDoOhRQMphAUzf900g",
  "FFdN4r3YW73tIC5PaZb7cFOcK5VJPpVhIl+eO6N6MHgwHQYDVR0OBBYEFL/ChYhP",
  "GSSBbnkgP5oYmbvKoha7MB8GA1UdIwQYMBaAFL/ChYhPGSSBbnkgP5oYmbvKoha7",
  "MA8GA1UdEwEB/wQFMAMBAf8wJQYDVR0RBB4wHIILZXhhbXBsZS5vcmeCDSouZXhh",
  "bXBsZS5vcmcwCgYIKoZIzj0EAwIDSAAwRQIgR9SjEJ2ZaHCq9tjCkbDp3Gk9u+J4",
  "D8lJ2PuI95yLHtoCIQCZfoYOQJ6iCdOI6dc1PKU4et0/pePznFFhTSNz6FOXxQ==",
  "-----END CERTIFICATE-----",
);

/** For example.org and *.example.org. */
export const second = {
  certificate: secondCertificate,
  certificateAuthorityCertificate: secondCertificate,
  privateKey: lines(
    "-----BEGIN PRIVATE KEY-----",
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6KzJZHDKQMYjqFji",
    "TYp5KOOP0oPgWOpwYhl8GyI89kahRANCAATqvOcV7C6elA5K+zmFjbdJIx2f6EAa",
    "gMOg6FFAymEBTN/3TSAUV03ivdhbve0gLk9plvtwU5wrlUk+lWEiX547",
    "-----END PRIVATE KEY-----",
  ),
};

/** The body of an upload. */
export const uploadOf = ({ certificate, certificateAuthorityCertificate, privateKey }: typeof first) => ({
  cert: certificate,
  ca: certificateAuthorityCertificate,
  key: privateKey,
});

/** The first certificate with the same key in another form, and with the certificate of the authority behind it. */
export const firstInOtherForm = {
  ...first,
  certificate: first.certificate + second.certificate,
  privateKey: createPrivateKey(first.privateKey).export({ type: "sec1", format: "pem" }).toString(),
};
