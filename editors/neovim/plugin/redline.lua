if vim.fn.has('nvim-0.11') == 1 and not vim.g.loaded_redline then
  vim.g.loaded_redline = require('redline.start').start()
end
