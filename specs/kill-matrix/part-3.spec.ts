import { holdOwn } from './support.js'

holdOwn(2)
