/** Template of what subscribers of a resthook get: docs/reference/flows.md#call_resthook. */
export const resthookPayload = `@(json(object(
  "contact", object("uuid", contact.uuid, "name", contact.name, "urn", contact.urn, "language", contact.language),
  "flow", object("uuid", run.flow.uuid, "name", run.flow.name, "revision", run.flow.revision),
  "path", run.path,
  "results", foreach_value(results, extract_object,
    "category", "category_localized", "created_on", "input", "name", "node_uuid", "value"),
  "run", object("uuid", run.uuid, "created_on", run.created_on),
  "input", if(input,
    object(
      "attachments", foreach(input.attachments, attachment_parts),
      "channel", input.channel,
      "created_on", input.created_on,
      "text", input.text,
      "type", input.type,
      "urn", if(input.urn,
        object(
          "display", default(format_urn(input.urn), ""),
          "path", urn_parts(input.urn).path,
          "scheme", urn_parts(input.urn).scheme),
        null),
      "uuid", input.uuid),
    null),
  "channel", default(input.channel, null))))`;
