import { holdMatrix, seedsTo } from './support.js'

holdMatrix(3, seedsTo(5))
