/** A certificate for example.com that signs itself, for the API's documentation. No system trusts it. */

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

const cert = lines(
  "-----BEGIN CERTIFICATE-----",
  "MIIBnDCCAUGgAwIBAgIUMb+6Fw4n3kJZFjaSph1EvxZqRHYwCgYIKoZIzj0EAwIw",
  "FjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wIBcNMjYxMTMwMTgyNDE5WhgPMjEyNjEx",
  "MDYxODI0MTlaMBYxFDASBgNVBAMMC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYI",
  "KoZIzj0DAQcDQgAE1O9vd9cUFXS/SCKwZExv8KDkI9SBMwPm/XNo+XbYQfvNsYqJ",
  "vRV65+kOLqFS2i/qhIIod84C9S2V3OV0AYx0HKNrMGkwHQYDVR0OBBYEFEE1L3Z8",
  "liKRdPN6Rsl9Dd91yZT2MB8GA1UdIwQYMBaAFEE1L3Z8liKRdPN6Rsl9Dd91yZT2",
  "MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILZXhhbXBsZS5jb20wCgYIKoZI",
  "zj0EAwIDSQAwRgIhAPs6gPwKTSWIked04tkC0oGNWAdIcJZ/f6+zQf8Y9HT+AiEA",
  "6yr60RK3ZhDt2JU/D4anQ+83n0nRCIrW0QQBWhr/7p8=",
  "-----END CERTIFICATE-----",
);

/** It protects nothing. */
const key = lines(
  "-----BEGIN PRIVATE KEY-----",
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3GCcMbMHbN+KmDgY",
  "VCpeVu/Fy/uPrmIzJrD0MluVaAahRANCAATU72931xQVdL9IIrBkTG/woOQj1IEz",
  "A+b9c2j5dthB+82xiom9FXrn6Q4uoVLaL+qEgih3zgL1LZXc5XQBjHQc",
  "-----END PRIVATE KEY-----",
);

export const example = { ca: cert, key, cert };
