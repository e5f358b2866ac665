import { randomFillSync } from "node:crypto";

/** Random bytes are had by the block: a few at a time cost as much. */
const block = Buffer.alloc(4096);
let used = block.length;

/** Takes random bytes that nobody else gets. @param count at most 4096 */
export function takeRandom(count: number): Buffer {
  if (used + count > block.length) {
    randomFillSync(block);
    used = 0;
  }
  // A copy: the block is filled anew.
  const taken = Buffer.from(block.subarray(used, used + count));
  block.fill(0, used, used + count);
  used += count;
  return taken;
}
