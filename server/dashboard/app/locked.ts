/** Opens a session with the code in the link's fragment. Fragments appear in no log and are not sent to other pages. */
async function open(): Promise<void> {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  const notice = document.getElementById("notice");
  const response = await fetch("/_dashboard/open", {
    method: "POST",
    headers: { "x-slipway-dashboard": "1", "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (response.ok) {
    history.replaceState(null, "", "/");
    location.reload();
    return;
  }
  history.replaceState(null, "", "/");
  const answer = await response.json();
  if (notice) notice.textContent = answer.error.message;
}

// If the user pastes another link over this page's address, the browser only changes the fragment.
addEventListener("hashchange", () => void open());
void open();
