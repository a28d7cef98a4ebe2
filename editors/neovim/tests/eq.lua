--- eq(actual, expected): both are shown if they differ.
return function(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    local text = '%snot equal\nexpected: %s\nactual:   %s'
    local label = what and what .. ': ' or ''
    error(text:format(label, vim.inspect(expected), vim.inspect(actual)), 2)
  end
end
