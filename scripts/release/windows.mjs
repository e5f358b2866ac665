/** The position of the certificate table's offset and size in the headers of a 64-bit executable. */
const certificateEntry = 24 + 112 + 4 * 8;

/**
 * Removes the signature of a Windows executable. A change of the program makes the signature invalid, which is worse
 * than no signature.
 * @param {Buffer} bytes
 */
export function withoutSignature(bytes) {
  const header = bytes.readUInt32LE(0x3c);
  if (bytes.toString("latin1", header, header + 4) !== "PE\0\0") throw new Error("not a Windows executable");
  const entry = header + certificateEntry;
  const offset = bytes.readUInt32LE(entry);
  if (offset === 0) return bytes;
  // The certificates are always at the end of the file.
  const unsigned = Buffer.from(bytes.subarray(0, offset));
  unsigned.writeUInt32LE(0, entry);
  unsigned.writeUInt32LE(0, entry + 4);
  return unsigned;
}
