/**
 * SQL for a JSON list of `{uuid, name}`: the rows of a table whose keys are in the JSON list `list`, ordered by key.
 */
export function named(table: string, key: string, list: string): string {
  return `(SELECT json_group_array(json_object('uuid', ${table}.uuid, 'name', ${table}.name) ORDER BY ${table}.${key})
    FROM json_each(${list}) AS item CROSS JOIN ${table} ON ${table}.${key} = item.value)`;
}
