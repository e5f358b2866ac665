import { isRecordedAt } from "../../../provider/core/address";
import { digest } from "../../../provider/core/values";

it.each([
  ["http://localhost:4000", "http://[::1]:4000", true],
  ["http://127.0.0.1:4000", "http://[::1]:4000", true],
  ["http://[::1]:4000", "http://localhost:4000", true],
  ["http://localhost:4000", "http://127.0.0.1:4001", false],
  ["https://api.example.com", "https://api.example.com.", true],
  ["https://api.example.com.", "https://api.example.com", true],
  ["https://api.example.com", "http://api.example.com", false],
  ["https://api.example.com", "https://api.example.net", false],
])("%s is the API of a record made at %s: %s", (apiUrl, recorded, isSame) => {
  expect(isRecordedAt(apiUrl, `${digest(recorded)} and the account`)).toBe(isSame);
});
