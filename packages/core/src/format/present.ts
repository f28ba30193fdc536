// Objects without members that are undefined, so that an absent field is absent in the object, too.

/** What {@link present} makes of a type: members that may be undefined become optional. */
export type Present<T> = {
  readonly [key in keyof T as undefined extends T[key] ? never : key]: T[key]
} & { readonly [key in keyof T as undefined extends T[key] ? key : never]?: Exclude<T[key], undefined> }

/** A copy without the members whose value is undefined. Only for objects whose keys the code itself names. */
export function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<T>
}
