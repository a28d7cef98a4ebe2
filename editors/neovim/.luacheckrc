std = 'luajit'
globals = { 'vim' }
max_line_length = 100
files['tests'] = { max_line_length = 120 }
