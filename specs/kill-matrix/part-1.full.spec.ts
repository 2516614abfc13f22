import { holdMatrix, seedsTo } from './support.js'

holdMatrix(0, seedsTo(5))
