/** Opens a session with the code of the link, which stands in the fragment: so no log and no other page has it. */
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

// A link that is pasted over this page's address changes the fragment alone.
addEventListener("hashchange", () => void open());
void open();
