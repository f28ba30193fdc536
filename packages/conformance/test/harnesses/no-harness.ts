export default { name: 'no harness' }
