// Shares the event loop with bodies that come in chunks of a few bytes. Each costs a microsecond, whatever it holds, and what a connection
// has sent is taken in one turn: 2 MB of them, 0.3 s. So only so many are taken at once; then the connection waits for its address's turn.
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { callerAt } from './caller.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { PieceDues } from './piece-dues.ts'
import type { ReadOrigin } from './request-origin.ts'

/** A piece as large as this costs little for what it brings. */
const smallBytes = 128
/** A connection waits after so many small ones, whoever else sends some from its address. */
const freePieces = 1_000

/** In front of what serves. */
export function paceSmallPieces(serve: RequestListener, readOrigin: ReadOrigin): RequestListener {
  const dues = new PieceDues()
  const lanes = new WeakMap<Socket, Lane>()
  const laneOf = (request: IncomingMessage): Lane => {
    const { socket } = request
    const { address } = readOrigin(request)
    const o = { address: callerAt(address), endsWithBody: address !== socket.remoteAddress }
    const lane = (o.endsWithBody ? undefined : lanes.get(socket)) ?? new Lane(socket, dues, o)
    if (!o.endsWithBody) lanes.set(socket, lane)
    return lane
  }
  return (request, response) => {
    if (request.headers['transfer-encoding'] !== undefined) pace(request, laneOf(request))
    serve(request, response)
  }
}

function pace(request: IncomingMessage, lane: Lane): void {
  const push = request.push.bind(request)
  /** What came while the lane waits: joined, since each piece takes a hundred times its size. */
  const kept = new JoinedBytes()
  const goOn = () => {
    if (kept.length > 0 && !request.destroyed) push(kept.take())
  }
  lane.goOn = goOn
  // The parser stops the connection where no more is wanted. What it has read already it still hands over: that goes on as one piece.
  request.push = (chunk: Buffer | null, ...more) => {
    if (chunk === null) {
      goOn()
      lane.endBody()
      return push(chunk)
    }
    const isMoreWanted = !lane.isWaiting && push(chunk, ...more)
    if (lane.isWaiting) kept.add(chunk)
    if (chunk.length < smallBytes) lane.takePiece()
    return isMoreWanted && !lane.isWaiting
  }
  // The body of a request that was answered before it was read: Node would drop it as fast as it comes, and tell nobody.
  Object.assign(request, { _dump: () => request.resume() })
  // Who has gone leaves nothing behind until his turn would have come.
  request.once('close', () => kept.take())
}

interface LaneOptions {
  address: string
  /** On a proxy's connection, whose next request is somebody else's. */
  endsWithBody: boolean
}

/** The bodies of one connection, one after the other. */
class Lane {
  readonly #socket: Socket
  readonly #dues: PieceDues
  readonly #o: LaneOptions
  #pieces = 0
  #untilMs = 0
  #stopWaiting: (() => void) | null = null
  /** Takes up the body that is being received. */
  goOn: () => void = () => undefined

  constructor(socket: Socket, dues: PieceDues, o: LaneOptions) {
    this.#socket = socket
    this.#dues = dues
    this.#o = o
  }

  get isWaiting(): boolean {
    return this.#stopWaiting !== null
  }

  takePiece(): void {
    this.#untilMs = this.#dues.charge(this.#o.address)
    this.#pieces += 1
    if (this.#pieces >= freePieces && !this.isWaiting) this.#wait()
  }

  endBody(): void {
    this.goOn = () => undefined
    if (this.#o.endsWithBody) this.#stopWaiting?.()
  }

  #wait(): void {
    const release = holdBack(this.#socket)
    const leave = this.#dues.wait(this.#o.address)
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      this.#socket.off('close', stop)
      clearImmediate(counted)
      clearTimeout(timer)
      this.#stopWaiting = null
      this.#pieces = 0
      leave()
      this.goOn()
      release()
    }
    this.#stopWaiting = stop
    this.#socket.once('close', stop)
    // What the parser has read already is still counted.
    const counted = setImmediate(() => {
      timer = setTimeout(stop, Math.max(0, this.#untilMs - performance.now())).unref()
    })
  }
}

/** Nothing more is read of the connection until the function given back is called. */
function holdBack(socket: Socket): () => void {
  let isWanted = false
  const stop = () => {
    socket.pause()
    // Of one that is resumed and paused within a turn, the stream tells only that it is resumed.
    socket.emit('pause')
  }
  const resumed = () => {
    isWanted = true
    stop()
  }
  stop()
  socket.on('resume', resumed)
  return () => {
    socket.off('resume', resumed)
    if (isWanted) socket.resume()
  }
}
