"""Puts existing ids into the requests that schemathesis generates. Otherwise, nearly all would get 403 or 404."""

import random
import re

import schemathesis

# Existing ids: those of the seed, and those that answers contain.
known = {
    "project": ["web", "api", "prj_web", "prj_api"],
    "deployments": ["dpl_1", "dpl_2", "dpl_3"],
    "domain": ["www.example.com", "www.example.org"],
    "apex": ["example.com", "example.org"],
    "configuration": ["icfg_1"],
    "teams": ["acme"],
    "env": ["env_key", "env_shared"],
    "custom-environments": ["staging", "env_staging"],
    "records": ["rec_1"],
    "webhooks": ["account_hook_1"],
    "certs": ["cert_1"],
    "flags": ["flag_1", "checkout"],
    "segments": ["segment_1", "staff"],
    "sdk-keys": ["hash_1"],
    "access-groups": ["ag_1", "designers"],
    "microfrontends": ["mfe_1"],
    # Those that requests create. Without the token of the seed, all requests would be refused.
    "tokens": [],
    "edge-config": ["ecfg_1"],
    "stores": ["store_1"],
    "blob": ["store_1"],
    "connections": ["spc_1"],
    "item": ["KEY"],
    "token": ["secret"],
    "log-drains": ["ld_1"],
    "drains": ["ld_1"],
}
prefixes = {
    "prj_": "project",
    "dpl_": "deployments",
    "icfg_": "configuration",
    "env_": "custom-environments",
    "rec_": "records",
    "account_hook_": "webhooks",
    "cert_": "certs",
    "flag_": "flags",
    "segment_": "segments",
    "ecfg_": "edge-config",
    "mfe_": "microfrontends",
    "store_": "stores",
    "spc_": "connections",
    "ld_": "log-drains",
}
never_deleted = {"web", "prj_web", "icfg_1"}
tokens = ["slipway-dev-token"] * 12 + ["installation-token", "unknown"]


def kind_of(parameter, path):
    if parameter in ("idOrName", "accessGroupIdOrName") and "/access-groups/" in path:
        return "access-groups"
    if parameter == "groupId":
        return "microfrontends"
    if parameter in ("idOrName", "projectId"):
        return "project"
    if parameter == "deploymentId":
        return "deployments"
    if parameter == "domain" and "/domains/{domain}/records" in path:
        return "apex"
    if parameter == "recordId":
        return "records"
    if parameter in ("domain", "teamIdOrSlug", "environment"):
        return {"teamIdOrSlug": "teams", "environment": "custom-environments"}.get(parameter, "domain")
    named = re.search(r"/([a-z-]+)/\{" + parameter + r"\}", path)
    return named.group(1) if named else None


@schemathesis.hook
def before_call(context, case, kwargs):
    for parameter in list(case.path_parameters or {}):
        values = known.get(kind_of(parameter, case.operation.path), [])
        if case.method.upper() == "DELETE":
            values = [value for value in values if value not in never_deleted]
            # Without the team of the others, nothing would be left to ask for.
            if case.operation.path.endswith("/teams/{teamIdOrSlug}"):
                values = ["spare"]
        if values and random.random() < 0.8:
            case.path_parameters[parameter] = random.choice(values[-8:] + values[:4])
    if random.random() < 0.95:
        case.query = {name: value for name, value in (case.query or {}).items() if name not in ("teamId", "slug")}
        case.query["slug"] = "acme"
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {random.choice(tokens)}"}
    # Sends events to this machine only.
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        if re.match(r"\s*https?:", case.body["url"], re.IGNORECASE):
            case.body["url"] = "http://127.0.0.1:9/"
    delivery = case.body.get("delivery") if isinstance(case.body, dict) else None
    if isinstance(delivery, dict) and delivery.get("type") == "http":
        delivery["endpoint"] = "http://127.0.0.1:9/"


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code >= 300 or "json" not in str(response.headers.get("content-type")):
        return
    for value in re.findall(r'"u?id":"([^"]+)"', response.text):
        for prefix, kind in prefixes.items():
            if value.startswith(prefix):
                break
        else:
            created = "tokens" if '"bearerToken"' in response.text else None
            kind = "env" if "/env" in case.operation.path else created
        if kind and value not in known[kind]:
            known[kind].append(value)
            del known[kind][12:-200]
