-- For wrk: searches that differ from each other, as people's do. Each thread begins elsewhere.
--   wrk -t2 -c256 -d10s --latency -s tools/load.lua http://127.0.0.1:8080
local names = { "C", "D", "E", "F", "G", "A", "B" }
local lengths = { "4", "8", "4.", "6" }
local started = 0

function setup(thread)
  thread:set("seed", started)
  started = started + 1
end

function init()
  math.randomseed(1000 + seed)
end

function request()
  local notes = { "'" }
  for i = 1, 12 do
    notes[#notes + 1] = lengths[math.random(#lengths)] .. names[math.random(#names)]
  end
  return wrk.format("GET", "/api/v1/search?k=20&q=" .. table.concat(notes))
end

function done(summary)
  local e = summary.errors
  print(string.format("failed: %d (connect %d, read %d, write %d, status %d, timeout %d)",
    e.connect + e.read + e.write + e.status + e.timeout, e.connect, e.read, e.write, e.status, e.timeout))
end
