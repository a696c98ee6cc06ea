// A user as the interface shows it, and the conversion from its database row.

export type User = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly timeZone: string | null
  readonly createdAt: Date
}

export type UserRow = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly time_zone: string | null
  readonly created_at: Date
}

export const readUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  timeZone: row.time_zone,
  createdAt: row.created_at,
})
