// JSON Schema of interfaces that a file of TypeScript exports: for events that only types describe. It knows what such events are made of,
// and throws at anything else.
import {
  createProgram,
  displayPartsToString,
  type Symbol as Member,
  ModuleKind,
  ModuleResolutionKind,
  ScriptTarget,
  SymbolFlags,
  type Type,
  type TypeChecker,
  TypeFlags,
} from 'typescript'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema of every shape
export type Schema = Record<string, any>

/** Schemas of the exported interfaces of the file, by name. */
export function schemasOf(file: string): ReadonlyMap<string, Schema> {
  const program = createProgram([file], {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.Bundler,
    target: ScriptTarget.ESNext,
    types: [],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const exported = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (exported === undefined) throw new Error(`${file} exports nothing`)
  const interfaces = checker.getExportsOfModule(exported).filter(({ flags }) => (flags & SymbolFlags.Interface) !== 0)
  return new Map(interfaces.map((one) => [one.name, schemaOf(checker, checker.getDeclaredTypeOfSymbol(one))]))
}

function schemaOf(checker: TypeChecker, type: Type): Schema {
  if (type.isStringLiteral()) return { const: type.value }
  if (type.isUnion()) return unionOf(checker, type.types)
  if ((type.flags & TypeFlags.String) !== 0) return { type: 'string' }
  if ((type.flags & TypeFlags.Number) !== 0) return { type: 'number' }
  if ((type.flags & TypeFlags.Boolean) !== 0) return { type: 'boolean' }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as Parameters<TypeChecker['getTypeArguments']>[0])
    if (item === undefined) throw new Error('a list of nothing')
    return { type: 'array', items: schemaOf(checker, item) }
  }
  const members = checker.getPropertiesOfType(type)
  if (members.length === 0) throw new Error(`no schema for ${checker.typeToString(type)}`)
  return objectOf(checker, members)
}

function objectOf(checker: TypeChecker, members: readonly Member[]): Schema {
  const isOptional = ({ flags }: Member) => (flags & SymbolFlags.Optional) !== 0
  const properties = members.map((member) => {
    const told = displayPartsToString(member.getDocumentationComment(checker))
    const schema = schemaOf(checker, checker.getNonNullableType(checker.getTypeOfSymbol(member)))
    const whole = isOptional(member) ? schema : schemaOf(checker, checker.getTypeOfSymbol(member))
    return [member.name, told === '' ? whole : { ...whole, description: told }] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: members.filter((member) => !isOptional(member)).map(({ name }) => name),
  }
}

function unionOf(checker: TypeChecker, types: readonly Type[]): Schema {
  const isNull = (one: Type) => (one.flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0
  const rest = types.filter((one) => !isNull(one))
  const orNull = types.some((one) => (one.flags & TypeFlags.Null) !== 0)
  if (rest.every((one) => one.isStringLiteral())) {
    const values: (string | null)[] = rest.map((one) => (one as { value: string } & Type).value)
    return { enum: orNull ? [...values, null] : values }
  }
  if (rest.every((one) => (one.flags & TypeFlags.BooleanLiteral) !== 0))
    return { type: orNull ? ['boolean', 'null'] : 'boolean' }
  const schemas = rest.map((one) => schemaOf(checker, one))
  const [first] = schemas
  if (schemas.length === 1 && first !== undefined)
    return orNull && typeof first.type === 'string' ? { ...first, type: [first.type, 'null'] } : first
  return { anyOf: orNull ? [...schemas, { type: 'null' }] : schemas }
}
