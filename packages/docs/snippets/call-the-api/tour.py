import os

from workspace_data_service.answer import ApiProblem
from workspace_data_service.client import Client, items

client = Client(os.environ["BASE"], os.environ["KEY"])

# A list, page by page behind the scenes.
for integration in items(client.list_integrations, limit=1):
    print(f"integration: {integration['name']} ({integration['provider']})")

# Make, then change what has not changed meanwhile.
made = client.create_webhook({"url": f"{os.environ['RECEIVER']}/hooks", "events": ["sync.*"]})
webhook_id = made.data["id"]
client.update_webhook(webhook_id, {"description": "From the tour"}, if_match=made.etag)
webhook = client.read_webhook(webhook_id).data
print(f"webhook: {webhook['description']}, {webhook['status']}")

# A refusal says what is wrong, and where.
try:
    client.update_webhook(webhook_id, {"rate_limit": -1})
except ApiProblem as problem:
    print(f"refused: {problem.status} {problem.code}, {problem.errors[0]['pointer']}")

client.delete_webhook(webhook_id)
