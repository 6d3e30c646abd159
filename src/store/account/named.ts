/**
 * SQL for the rows of a table whose keys are in a JSON list, in the order of their keys, as a JSON list of
 * `{uuid, name}`.
 */
export function named(table: string, key: string, list: string): string {
  return `(SELECT json_group_array(json_object('uuid', ${table}.uuid, 'name', ${table}.name) ORDER BY ${table}.${key})
    FROM json_each(${list}) AS item CROSS JOIN ${table} ON ${table}.${key} = item.value)`;
}
