'use strict'
// Answers with the boxes that Express reads in a request, by each of its query parsers, in the header Reading.
const express = require('express')
const text = (value) => value === undefined ? null : String(value)

for (const parser of ['simple', 'extended']) {
  const app = express()
  app.set('query parser', parser)
  const tell = (read) => (request, response) => {
    const boxes = read(request).map((box) => ({
      article: text(box.article), material: text(box.material),
      width: Number(box.width), depth: Number(box.depth), height: Number(box.height)
    }))
    response.set('Reading', Buffer.from(JSON.stringify(boxes)).toString('base64')).end()
  }
  const items = (request) => {
    const given = request.query.items
    try {
      return typeof given === 'string' ? JSON.parse(given).filter(Boolean) : Object.values(given ?? {})
    } catch {
      return []
    }
  }
  app.all('/v1/reseller/dieline', tell((request) => [request.query]))
  app.all('/v1/reseller/quotation', tell(items))
  app.all('/*any', tell(() => []))
  const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port))
}
