import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { State } from "../wire";
import { ApiFailure, act } from "./api";

/** The context of all views. */
export interface Shared {
  state: State;
  /** The id of the selected account. */
  account: string;
  /** Shows a message, which screen readers announce. */
  tell: (text: string, isProblem?: boolean) => void;
}

export const SharedContext = createContext<Shared | undefined>(undefined);

export function useShared(): Shared {
  const shared = useContext(SharedContext);
  if (!shared) throw new Error("outside of the page");
  return shared;
}

/** Returns a function that requests an action, shows the outcome, and returns the result, or undefined on failure. */
export function useAct(): <T>(action: string, body: object, done?: string) => Promise<T | undefined> {
  const { tell } = useShared();
  return async <T>(action: string, body: object, done?: string) => {
    try {
      const value = await act<T>(action, body);
      if (done !== undefined) tell(done);
      return value;
    } catch (error) {
      tell(error instanceof ApiFailure ? error.message : String(error), true);
      return undefined;
    }
  };
}
