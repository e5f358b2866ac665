/** Facts from the headers of executables of several systems. */

/** How the executable of a platform begins, by the place in the file where its format and its processor stand. */
export const magic: Record<string, [format: string, processor: string]> = {
  "linux-amd64": ["7f454c46", "3e00"],
  "linux-arm64": ["7f454c46", "b700"],
  "darwin-amd64": ["cffaedfe", "07000001"],
  "darwin-arm64": ["cffaedfe", "0c000001"],
  "windows-amd64": ["4d5a", "6486"],
  "windows-arm64": ["4d5a", "64aa"],
};
/** The code signature of a program for macOS: what its load command of that kind points to. */
export function signatureOf(bytes: Buffer): Buffer {
  const codeSignature = 0x1d;
  for (let at = 32, left = bytes.readUInt32LE(16); left > 0; at += bytes.readUInt32LE(at + 4), left -= 1) {
    if (bytes.readUInt32LE(at) !== codeSignature) continue;
    const start = bytes.readUInt32LE(at + 8);
    const signature = bytes.subarray(start, start + bytes.readUInt32LE(at + 12));
    if (signature.readUInt32BE(0) !== 0xfade0cc0) break;
    return signature;
  }
  throw new Error("the program has no valid signature");
}
